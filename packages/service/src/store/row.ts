/** A row as a database returns it: the author of a statement knows what its columns hold, the compiler does not. */
export type Row = { readonly [column: string]: unknown }
