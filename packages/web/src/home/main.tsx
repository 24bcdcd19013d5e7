import { hydrateRoot } from 'react-dom/client'
import { TryIt } from '../try/TryIt.tsx'

const island = document.getElementById('try-it')
if (island) hydrateRoot(island, <TryIt />)
