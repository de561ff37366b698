// SPDX-License-Identifier: Apache-2.0
// Static MPDs, and what is read from them.
import type { Mpd, MpdRepresentation } from '../../src/dash/mpd.ts';
import type { MpdRefusal } from '../../src/dash/read/mpdElements.ts';
import { readMpd } from '../../src/dash/read/readMpd.ts';

const source = 'https://o.example/vod/asset/manifest.mpd';
export const document = (attributes: string, ...content: string[]): string =>
  `<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:cenc="urn:mpeg:cenc:2013" type="static" ${attributes}>\n${content.join('\n')}\n</MPD>`;
export const oneVideo = (segments: string, set = '', representation = ''): string =>
  `<Period><AdaptationSet mimeType="video/mp4" ${set}><Representation id="v" bandwidth="9" codecs="avc1.64001f" ${representation}>${segments}</Representation></AdaptationSet></Period>`;

export function read(text: string): Mpd {
  const mpd = readMpd(text, source);
  if ('refused' in mpd) throw new Error(mpd.refused);
  return mpd;
}
export function refusal(text: string): MpdRefusal {
  const mpd = readMpd(text, source);
  if ('refused' in mpd) return mpd;
  throw new Error('no error');
}
export const only = (text: string): MpdRepresentation => read(text).periods[0]!.representations[0]!;
