// SPDX-License-Identifier: Apache-2.0
import type { SessionSummary } from '../../../src/http/contract/airContract.ts';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';

/** What a session of a VoD channel plays, as typed. */
export type VodTarget = {
  /** URL of the content that fills placeholders. */
  readonly content: string;
  /** Seconds of content. */
  readonly start: string;
};

/** Query parameters of playback URLs; empty fields are omitted. */
export const vodParameters = ({ content, start }: VodTarget): Record<string, string> => ({
  ...(content.trim() === '' ? {} : { content: content.trim() }),
  ...(start.trim() === '' ? {} : { start: start.trim().replace(/^([^,.]*),([^,.]*)$/, '$1.$2') }),
});

export type Format = SessionSummary['format'];
export type ChannelKeys = Pick<ChannelResponse, 'id' | 'apiKey' | 'signingSecret'>;
type PlaybackUrls = { readonly hls: string; readonly hlsSession: string; readonly dashSession: string };

/** The URLs that open a channel. @param liveUrl without a trailing slash @param parameters further query parameters */
export function playbackUrls(
  liveUrl: string,
  channel: ChannelKeys,
  parameters: Readonly<Record<string, string>> = {},
): PlaybackUrls {
  const key = new URLSearchParams({ ...parameters, 'api-key': channel.apiKey ?? '' });
  return {
    hls: `${liveUrl}/hls/${encodeURIComponent(channel.id)}/master.m3u8?${key}`,
    hlsSession: sessionUrl(liveUrl, 'hls', channel, parameters),
    dashSession: sessionUrl(liveUrl, 'dash', channel, parameters),
  };
}

/** The URL that opens a session. @param parameters passed to the ad server as [PLAYER.name] */
export function sessionUrl(
  liveUrl: string,
  format: Format,
  channel: ChannelKeys,
  parameters: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({ ...parameters, 'api-key': channel.apiKey ?? '' });
  return `${liveUrl}/${format}/view/${encodeURIComponent(channel.id)}?${query}`;
}
