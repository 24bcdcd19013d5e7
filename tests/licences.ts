/*
 * Lists third-party packages that are shipped or depended on, with their licences (`npm run licences`).
 */
import { licencesOf, lockOf } from './support/licences.ts'
import { REPOSITORY } from './support/server.ts'

for (const { name, version, licence } of licencesOf(await lockOf(REPOSITORY)))
  console.log(`${licence}\t${name} ${version}`)
console.log('OFL-1.1\tGeist and Geist Mono (packages/web/src/design/OFL.txt)')
