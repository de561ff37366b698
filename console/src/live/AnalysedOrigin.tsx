// SPDX-License-Identifier: Apache-2.0
import type { AnalysisResponse } from '../../../src/http/contract/liveContract.ts';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { asSentence } from '../format/asSentence.ts';
import { plural } from '../format/numbers.ts';
import { formatDuration, formatTimeOfDay } from '../format/time.ts';
import type { OriginVerdict } from './originVerdict.ts';
import { originVerdict } from './originVerdict.ts';
import { RenditionList } from './RenditionList.tsx';
import { servedFormats } from './servedFormats.ts';

const originVerdicts: Statuses<OriginVerdict> = {
  playable: ['good', 'Playable'],
  limited: ['warn', 'Playable, with warnings'],
  unplayable: ['bad', 'Not playable'],
};

type Origin = AnalysisResponse['sourceManifestUrl'];

const warningText = ({ line, text }: Origin['warnings'][number]): string =>
  line === undefined ? asSentence(text) : `Line ${line}: ${asSentence(text)}`;

/** The breaks that an origin lists at the moment, with their markers. */
const SeenBreaks = ({ breaks }: Pick<Origin, 'breaks'>) =>
  breaks.length === 0 ? (
    <>None in the window</>
  ) : (
    <ul>
      {breaks.map(({ startsAt, duration, raw, line }) => (
        <li key={`${line} ${startsAt}`}>
          {startsAt ? formatTimeOfDay(startsAt) : 'Break'}
          {duration === undefined ? '' : `, ${formatDuration(duration)}`} <code class="url">{raw}</code>
        </li>
      ))}
    </ul>
  );

/** What an analysis found in one origin: whether it can be played first. */
export const AnalysedOrigin = ({ origin, name }: { readonly origin: Origin; readonly name: string }) => {
  const { problems, warnings, format, serves, noDash, window, targetDuration, hasDates, renditions } = origin;
  return (
    <section class="analysis" aria-label={name}>
      <header class="row">
        <h3>{name}</h3>
        <StatusBadge status={originVerdicts[originVerdict(origin)]} />
        <span class="small muted">{format?.toUpperCase()}</span>
      </header>
      {problems.length > 0 ? (
        <ul class="reason">
          {problems.map((problem) => (
            <li key={problem}>{asSentence(problem)}</li>
          ))}
        </ul>
      ) : null}
      <dl class="facts">
        {serves ? (
          <>
            <dt>Serves</dt>
            <dd>
              {servedFormats(serves)}
              {noDash ? <span class="muted"> (no DASH: {noDash})</span> : null}
            </dd>
          </>
        ) : null}
        {window ? (
          <>
            <dt>Window</dt>
            <dd>
              {formatDuration(window.seconds)} in {plural(window.segments, 'segment')}
              {targetDuration === undefined ? '' : `, target duration ${formatDuration(targetDuration)}`}
            </dd>
            <dt>Dates</dt>
            <dd>{hasDates ? 'Yes' : 'No. Breaks have the times at which Midroll reads them.'}</dd>
          </>
        ) : null}
        {renditions.length > 0 ? (
          <>
            <dt>Renditions</dt>
            <dd>
              <RenditionList renditions={renditions} />
            </dd>
          </>
        ) : null}
        {window || origin.breaks.length > 0 ? (
          <>
            <dt>Breaks</dt>
            <dd>
              <SeenBreaks breaks={origin.breaks} />
            </dd>
          </>
        ) : null}
      </dl>
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
