/** Pseudo-random numbers from 0 (included) to 1 (excluded), always the same for a seed (Tommy Ettinger 2017). */
export function mulberry32(seed: number): () => number
