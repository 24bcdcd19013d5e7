/// <reference path="./role-based-email-addresses.d.ts" />
import packaged from 'role-based-email-addresses'

/** On the package's list but not roles: these may just as well be a person, a place, a product or nothing. */
const NOT_ROLES = [
  // years and school classes
  '2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027 2028 2029 2030',
  'class classof2016 classof2017 classof2018 classof2019',
  // places
  'berlin boston chicago china denver europe france india latam montreal newyork northamerica ny nyc paris',
  'sanfrancisco seattle sf sfo singapore stockholm sydney uk us usa',
  // products, and first or last names
  'alexa android apple caltrain facebook ifttt instagram ios iphone itunes myplex namecheap paypal plex plex.tv prime',
  'salesforce shopify stripe twitter wordpress angels gardner',
  // words and letters that anybody may use
  '123 aaa abc alla alle alpha alphas asd asdasd asdf bd beta bot ca class cm com family food football friends fun geeks',
  'home homes house la ladies lt lunch ma md mt music none no notes null parts per photos random rockstars smile sport',
  'squad stories ta test time travel user users ux women',
].flatMap((names) => names.split(' '))

/** Roles that the package lacks. */
const MISSING = [
  'hey customer-service dpo gdpr',
  'vertrieb buero rechnung bewerbung datenschutz kundenservice', // German: sales, office, invoices, applications, privacy, service
].flatMap((names) => names.split(' '))

const ROLES = buildRoles()

function buildRoles(): ReadonlySet<string> {
  const roles = new Set([...packaged, ...MISSING])
  for (const name of NOT_ROLES) roles.delete(name)
  return roles
}

/**
 * Whether a local part names a role (a function, a group, a machine) rather than a person. The whole of it counts, or
 * the part before the first `+`; never a mere prefix, since `salesman` may be a person.
 */
export function isRole(local: string): boolean {
  const name = local.toLowerCase()
  const plus = name.indexOf('+')
  return ROLES.has(name) || (plus > 0 && ROLES.has(name.slice(0, plus)))
}
