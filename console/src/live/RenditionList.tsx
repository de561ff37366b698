// SPDX-License-Identifier: Apache-2.0
import type { FoundRendition } from '../../../src/http/contract/liveContract.ts';
import { formatCount } from '../format/numbers.ts';

type Rendition = FoundRendition & { readonly isEncrypted?: boolean };

function describe({ kind, codecs, width, height, bandwidth, framesPerSecond, language, isEncrypted }: Rendition) {
  return [
    kind,
    ...(width && height ? [`${width}×${height}`] : []),
    ...(framesPerSecond ? [`${framesPerSecond} fps`] : []),
    ...(language && language !== 'und' ? [language] : []),
    ...(codecs === '' ? [] : [codecs]),
    ...(bandwidth > 0 ? [`${formatCount(Math.round(bandwidth / 1000))} kbit/s`] : []),
    ...(isEncrypted ? ['encrypted'] : []),
  ].join(', ');
}

export const RenditionList = ({ renditions }: { readonly renditions: readonly Rendition[] }) =>
  renditions.length === 0 ? null : (
    <ul class="small">
      {renditions.map((rendition) => (
        <li key={JSON.stringify(rendition)}>{describe(rendition)}</li>
      ))}
    </ul>
  );

const formatNames = { hls: 'HLS', dash: 'DASH', both: 'HLS and DASH' } as const;

export const servedFormats = (serves: keyof typeof formatNames | undefined): string =>
  serves === undefined ? 'nothing' : formatNames[serves];
