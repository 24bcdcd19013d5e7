export { DatabaseSync } from '@photostructure/sqlite'
