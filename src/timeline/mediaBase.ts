/**
 * Where media that Midroll serves lie, as seen from a media playlist (`hls/channel/session/rung.m3u8`) and from the BaseURL
 * of an MPD (`dash/channel/session/`): relative, because a proxy may have put a prefix before all of it.
 */
export const MEDIA_BASE = '../../..';
