// SPDX-License-Identifier: Apache-2.0

/** What a distributor is sent. @param liveUrl without a trailing slash */
export function distributorUrls(liveUrl: string, channelId: string, key: string) {
  const id = encodeURIComponent(channelId);
  return {
    HLS: `${liveUrl}/hls/${id}/distributors/${key}/channel.m3u8`,
    DASH: `${liveUrl}/dash/${id}/distributors/${key}/channel.mpd`,
    XMLTV: `${liveUrl}/guide/${id}/${key}/xmltv.xml`,
    'Guide JSON': `${liveUrl}/guide/${id}/${key}/guide.json`,
  };
}
