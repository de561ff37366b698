type Addresses = { readonly hls: string; readonly dash: string; readonly view: string };

/** The live routes of a channel. @param liveUrl without a slash at the end */
export function addressesOf(liveUrl: string, channelId: string, apiKey: string): Addresses {
  const id = encodeURIComponent(channelId);
  const key = `api-key=${encodeURIComponent(apiKey)}`;
  return {
    hls: `${liveUrl}/hls/${id}/master.m3u8?${key}`,
    dash: `${liveUrl}/dash/view/${id}?${key}`,
    view: `${liveUrl}/hls/view/${id}?${key}`,
  };
}

/** Where a session is opened, with variables for the ad server. */
export function sessionAddress(
  liveUrl: string,
  format: 'hls' | 'dash',
  channel: { readonly id: string; readonly apiKey?: string | undefined },
  parameters: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({ ...parameters, 'api-key': channel.apiKey ?? '' });
  return `${liveUrl}/${format}/view/${encodeURIComponent(channel.id)}?${query}`;
}

/** The session that a manifest belongs to. */
export const sessionOf = (mediaUrl: string): string | undefined => {
  const url = new URL(mediaUrl);
  return url.searchParams.get('sid') ?? /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(url.pathname)?.[0];
};
