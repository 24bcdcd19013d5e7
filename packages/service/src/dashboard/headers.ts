/** What pages may load and do: only from this server, and nothing inline. */
const POLICY: string = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** Added when the public address is https: for a year, browsers use only that. */
const HTTPS_HEADERS = { 'Strict-Transport-Security': 'max-age=31536000' }

/**
 * Sent with every answer outside the API.
 * @param baseUrl the public address
 */
export function pageHeaders(baseUrl: string): ReadonlyMap<string, string> {
  return new Map(Object.entries({ ...PAGE_HEADERS, ...(baseUrl.startsWith('https:') ? HTTPS_HEADERS : {}) }))
}
