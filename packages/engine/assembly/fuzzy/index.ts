/** The fuzzy kernel's exports, to be called in this order. */

export { takeRequest } from './keys'
export { findLeaders, prepare } from './leaders'
export { allocate } from './memory'
export { pairsCompared } from './pair'
