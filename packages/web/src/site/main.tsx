import { copyIsland } from '../shell/copy.tsx'
import { wake } from '../shell/islands.tsx'

wake({ copy: copyIsland })
