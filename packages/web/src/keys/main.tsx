import './keys.css'
import { hydrateIslands } from '../shell/islands.tsx'
import { KeysPage } from './KeysPage.tsx'

hydrateIslands({ keys: () => <KeysPage /> })
