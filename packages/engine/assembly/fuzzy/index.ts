/** The fuzzy kernel's exports, to be called in this order. */

export {
  allowedDistance,
  bandWithin,
  bigramsBound,
  blocksWithin,
  laneKind,
  lengthsMeet,
  lettersBound,
  pairWithin,
  pointsWithin,
  segmentsFind,
} from './bounds'
export { takeRequest } from './keys'
export { findLeaders, prepare } from './leaders'
export { allocate } from './memory'
export { pairsCompared } from './pair'
