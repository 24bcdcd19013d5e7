import { copyIsland } from '../shell/copy.tsx'
import { wake } from '../shell/islands.tsx'
import { TryIt } from '../try/TryIt.tsx'

wake({ copy: copyIsland, try: () => <TryIt /> })
