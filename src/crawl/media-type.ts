/** @returns a media type in lower case, without parameters; '' without one (RFC 9110, 8.3.1) */
export const mediaType = (contentType: string | null | undefined): string =>
  /^\s*([a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100})\s*(;|$)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? '';

/** The types of HTTP live streaming playlists (RFC 8216, 4). */
const PLAYLIST = /^(application\/(vnd\.apple\.mpegurl|x-mpegurl)|audio\/(x-)?mpegurl)$/;

export const isPlaylist = (type: string): boolean => PLAYLIST.test(type);
