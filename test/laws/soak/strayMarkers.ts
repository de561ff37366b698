// SPDX-License-Identifier: Apache-2.0
// Markers that make no sense, at places that depend on the number of the segment only: each reading of an origin has the same.

const STRAY = [
  '#EXT-X-CUE-IN',
  '#EXT-X-CUE-OUT:DURATION=,ID=',
  '#EXT-X-CUE-OUT:-20',
  '#EXT-X-CUE-OUT:1e9',
  '#EXT-X-CUE-OUT-CONT:ElapsedTime=3,Duration=9',
  '#EXT-X-CUE-OUT-CONT:90/8',
  '#EXT-OATCLS-SCTE35:not base64!',
  '#EXT-X-SCTE35:CUE="/DA=",CUE-OUT=YES',
  '#EXT-X-DATERANGE:ID="x",SCTE35-OUT=0xFC30',
  '#EXT-X-DATERANGE:ID="y",START-DATE="yesterday",DURATION=-1,SCTE35-IN=0xFC',
  '#EXT-X-SPLICEPOINT-SCTE35:/DAlAAAAAAAAAP/wFAUAAAABf+/+',
  '#EXT-X-CUE-OUT:5\n#EXT-X-CUE-IN',
  '#EXT-X-CUE-IN\n#EXT-X-CUE-OUT:4\n#EXT-X-CUE-OUT:30',
  '#EXT-X-CUE-OUT',
] as const;
const RARITY = 70;

const hash = (run: number, number: number): number => (Math.imul(run * 7919 + number, 2_654_435_761) >>> 8) % RARITY;

/** An event without a time, and one whose message is cut off. */
const EVENTS =
  '<EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="90000"><Event id="77" duration="x"/><Event presentationTime="-5" id="78"><Signal xmlns="http://www.scte.org/schemas/35/2016"><Binary>/DAl</Binary></Signal></Event></EventStream>';

export const strayMarkers = {
  hls(text: string, run: number): string {
    let number = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(text)?.[1] ?? 0);
    return text.replace(/^#EXTINF:/gm, (tag) => {
      const stray = STRAY[hash(run, number)];
      number += 1;
      return stray === undefined ? tag : `${stray}\n${tag}`;
    });
  },
  mpd: (text: string): string => text.replace(/(<Period [^>]*>)(?!<EventStream)/, `$1${EVENTS}`),
};
