/** The fuzzy kernel: what the host sees. `takeRequest` first, then `findLeaders`. */
export { allocate } from './memory'
export { takeRequest } from './keys'
export { findLeaders } from './leaders'
