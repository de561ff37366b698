// SPDX-License-Identifier: Apache-2.0
import type { AnalysisResponse } from '../../../src/http/liveContract.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import { plural } from '../logic/format/numbers.ts';
import { formatDateTimeSeconds, formatDuration } from '../logic/format/time.ts';
import { RenditionList } from './RenditionList.tsx';
import { servedFormats } from './servedFormats.ts';

type Origin = AnalysisResponse['sourceManifestUrl'];

const warningText = ({ line, text }: Origin['warnings'][number]): string =>
  line === undefined ? text : `Line ${line}: ${text}`;

/** What an analysis found in one origin. */
export const AnalysedOrigin = ({ origin, name }: { readonly origin: Origin; readonly name: string }) => {
  const { isPlayable, problems, warnings, format, serves, noDash, window, targetDuration, hasDates } = origin;
  return (
    <section class="stack tight">
      {problems.length > 0 ? (
        <Notice tone="bad">
          {name}: {problems.join('; ')}.
        </Notice>
      ) : (
        <Notice tone={isPlayable ? 'good' : 'warn'}>
          {name}: {format?.toUpperCase()}, serves {servedFormats(serves)}.{noDash ? ` No DASH: ${noDash}.` : ''}
        </Notice>
      )}
      {window ? (
        <p class="small">
          Window {formatDuration(window.seconds)} in {plural(window.segments, 'segment')}, target duration{' '}
          {targetDuration ?? '–'} s, {hasDates ? 'with dates' : 'without dates'}.
        </p>
      ) : null}
      <RenditionList renditions={origin.renditions} />
      {origin.breaks.length > 0 ? (
        <ul class="small">
          {origin.breaks.map(({ startsAt, duration, raw, line }) => (
            <li key={`${line} ${startsAt}`}>
              {startsAt ? formatDateTimeSeconds(startsAt) : 'Break'}
              {duration === undefined ? '' : `, ${formatDuration(duration)}`}: <code>{raw}</code>
            </li>
          ))}
        </ul>
      ) : null}
      {window && origin.breaks.length === 0 ? <p class="small muted">No breaks in the window.</p> : null}
      {warnings.length > 0 ? (
        <Notice tone="warn">
          <ul>
            {warnings.map((warning) => (
              <li key={warningText(warning)}>{warningText(warning)}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </section>
  );
};
