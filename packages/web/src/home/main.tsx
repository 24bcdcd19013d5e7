import { hydrateRoot } from 'preact/compat/client'
import { TryIt } from '../try/TryIt.tsx'

const island = document.getElementById('try-it')
if (island) hydrateRoot(island, <TryIt />)
