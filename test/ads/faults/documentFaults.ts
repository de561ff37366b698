// SPDX-License-Identifier: Apache-2.0
// Faults of VAST documents and of wrappers.
import { type FaultCase, plainAd, sends, shown, skips } from './faultCase.ts';
import { vastXml, wrapperXml } from './vastXml.ts';

/** The ad server returns a wrapper of one of its own paths. */
const wrapping = (path: string) => sends((host) => vastXml(wrapperXml(host.url + path, `${host.url}/error`)));

export const documentFaults: readonly FaultCase[] = [
  {
    name: 'sends Latin-1 after a blank line, with names in the wrong case',
    prepare: sends((host, media) => {
      const text = vastXml(plainAd(host, media, { title: 'Käse' }));
      const odd = text
        .replace('UTF-8', 'ISO-8859-1')
        .replaceAll('MediaFile', 'MEDIAFILE')
        .replaceAll('InLine', 'Inline');
      return Buffer.from(`\n${odd}`, 'latin1');
    }),
    outcome: { code: 'TOO_FEW_ADS', titles: ['Käse'] },
  },
  {
    name: 'does not escape an ampersand',
    prepare: sends((host, media) =>
      vastXml(plainAd(host, media)).replace(
        '<Impression>',
        '<Impression>http://127.0.0.1:9/?a=1&b=2</Impression><Impression>',
      ),
    ),
    outcome: shown,
  },
  {
    name: 'returns a wrapper of itself',
    prepare: wrapping('/vast'),
    outcome: skips('WRAPPER_LOOP', 302),
  },
  {
    name: 'returns endless wrappers',
    prepare: (host) => {
      host.on('/deep', (response, _, query) => {
        const next = `${host.url}/deep?n=${Number(query.get('n')) + 1}`;
        response.writeHead(200).end(vastXml(wrapperXml(next, `${host.url}/error`)));
      });
      return '/deep?n=0';
    },
    outcome: skips('WRAPPER_LIMIT', 302, ' 5 '),
  },
  {
    name: 'returns a wrapper of a server that never responds',
    prepare: wrapping('/never'),
    outcome: skips('WRAPPER_TIMEOUT', 301),
  },
  { name: 'returns a wrapper of an empty response', prepare: wrapping('/empty'), outcome: skips('WRAPPER_EMPTY', 303) },
  {
    name: 'returns a wrapper of a missing document',
    prepare: wrapping('/gone'),
    outcome: skips('WRAPPER_FAILED', 301, '404'),
  },
  { name: 'returns a wrapper of an HTML page', prepare: wrapping('/html'), outcome: skips('VAST_UNREADABLE') },
  {
    name: 'returns a wrapper of an ad',
    prepare: (host, media) => {
      host.on('/inner', (response) => void response.writeHead(200).end(vastXml(plainAd(host, media))));
      return wrapping('/inner')(host, media);
    },
    outcome: shown,
  },
];
