/** Path prefix of the service behind a proxy; '' at the root. The server writes it into the page. */
export const BASE = document.querySelector<HTMLMetaElement>('meta[name="castellan-base"]')?.content ?? '';

/** Path of the console, below which its pages are. */
export const CONSOLE = `${BASE}/console`;

/** Address of the service, for what is copied. */
export const SERVICE_URL = `${location.origin}${BASE}`;
