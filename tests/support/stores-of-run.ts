/** With `STORES=sqlite`, tests that need PostgreSQL are skipped. */
export const hasPostgres: boolean = process.env.STORES !== 'sqlite'
