import './keys.css'
import { hydrateRoot } from 'preact/compat/client'
import { KeysPage } from './KeysPage.tsx'

const root = document.getElementById('keys')
if (root) hydrateRoot(root, <KeysPage />)
