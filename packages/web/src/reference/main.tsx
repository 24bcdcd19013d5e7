import { hydrateRoot } from 'preact/compat/client'
import { Reference } from './Reference.tsx'

const island = document.getElementById('reference')
if (island) hydrateRoot(island, <Reference />)
