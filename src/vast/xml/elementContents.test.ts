// SPDX-License-Identifier: Apache-2.0
// Documents in which an end tag is missing lose nothing that is around it.
import { describe, expect, it } from 'vitest';
import { everything } from '../../../test/vast/richAd.ts';
import { readAdDocument } from '../read/readAdResponse.ts';

const wrapper =
  '<Ad id="w"><Wrapper><Impression/><VASTAdTagURI>https://a.test/</VASTAdTagURI><Creatives><Creative><Linear><TrackingEvents><Tracking event="start">https://a.test/s</Tracking></TrackingEvents></Linear></Creative></Creatives></Wrapper></Ad>';
const pair = everything.replace('</VAST>', `${wrapper}</VAST>`);
const adBreak = (id: string) =>
  `<vmap:AdBreak breakId="${id}" timeOffset="start" breakType="linear"><vmap:AdSource id="1"><vmap:VASTAdData>${pair}</vmap:VASTAdData></vmap:AdSource><vmap:TrackingEvents><vmap:Tracking event="breakStart">https://a.test/b</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak>`;
const vmap = `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${adBreak('a')}${adBreak('b')}</vmap:VMAP>`;

type Read = { readonly warnings: readonly { readonly code: string; readonly text: string }[] };
/** Without the warnings of all documents in it. */
const contentOf = (document: object) => JSON.stringify(document, (key, value) => (key === 'warnings' ? [] : value));

describe.each([
  ['an ad', everything],
  ['two ads', pair],
  ['VMAP', vmap],
])('in a document with %s, a missing end tag', (_, document) => {
  const whole = contentOf(readAdDocument(document));
  const ends = [...document.matchAll(/<\/([\w:]+)>/g)];
  const kinds = new Map(ends.map((end) => [end[1]!, ends.filter((one) => one[1] === end[1])]));
  it.each([...kinds])('</%s> changes nothing, wherever it is', (name, places) => {
    for (const { 0: tag, index } of places) {
      const read = readAdDocument(document.slice(0, index) + document.slice(index + tag.length));
      expect([index, contentOf(read)]).toEqual([index, whole]);
      const fault = (read as Read).warnings.find(({ code }) => ['UNCLOSED', 'BREAKS_OFF'].includes(code));
      expect(fault?.text).toContain(name);
    }
  });
});
