import { copyIsland } from '../shell/copy.tsx'
import { hydrateIslands } from '../shell/islands.tsx'
import { TryIt } from '../try/TryIt.tsx'

hydrateIslands({ copy: copyIsland, try: () => <TryIt /> })
