declare module 'role-based-email-addresses' {
  /** Local parts in lower case. */
  const names: readonly string[]
  export default names
}
