/** `STORES=sqlite` leaves out what needs PostgreSQL. */
export const hasPostgres: boolean = process.env.STORES !== 'sqlite'
