// SPDX-License-Identifier: Apache-2.0
/**
 * The base URL of media that Midroll serves, relative to a media playlist (`hls/channel/session/rung.m3u8`) and to the
 * BaseURL of an MPD (`dash/channel/session/`). It is relative because a proxy may add a path prefix.
 */
export const MEDIA_BASE = '../../..';
