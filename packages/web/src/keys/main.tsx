import './keys.css'
import { wake } from '../shell/islands.tsx'
import { KeysPage } from './KeysPage.tsx'

wake({ keys: () => <KeysPage /> })
