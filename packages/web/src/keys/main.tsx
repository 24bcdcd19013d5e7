import './keys.css'
import { hydrateRoot } from 'react-dom/client'
import { KeysPage } from './KeysPage.tsx'

const root = document.getElementById('keys')
if (root) hydrateRoot(root, <KeysPage />)
