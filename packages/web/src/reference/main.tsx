import { copyIsland } from '../shell/copy.tsx'
import { wake } from '../shell/islands.tsx'
import { Console } from './Console.tsx'
import { Contents } from './Contents.tsx'
import { CONTENTS } from './contents.ts'
import { Examples } from './Examples.tsx'

wake({
  copy: copyIsland,
  contents: () => <Contents entries={CONTENTS} />,
  examples: (path) => <Examples path={path} />,
  console: (path) => <Console path={path} />,
})
