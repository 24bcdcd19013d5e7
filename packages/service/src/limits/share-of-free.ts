/**
 * One holder may have this many times what is left for all others, so that no number of its requests takes the last
 * place or byte from them (Choudhury and Hahne 1998, dynamic queue length thresholds): eight ninths if it is alone.
 */
export const SHARE_OF_FREE = 8
