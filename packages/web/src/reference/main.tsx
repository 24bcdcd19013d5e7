import { copyIsland } from '../shell/copy.tsx'
import { hydrateIslands } from '../shell/islands.tsx'
import { Console } from './Console.tsx'
import { SearchableContents } from './Contents.tsx'
import { CONTENTS } from './contents.ts'
import { Examples } from './Examples.tsx'

hydrateIslands({
  copy: copyIsland,
  contents: () => <SearchableContents entries={CONTENTS} />,
  examples: (path) => <Examples path={path} />,
  console: (path) => <Console path={path} />,
})
