// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { AnalysisResponse } from '../../../src/http/contract/liveContract.ts';
import { ApiError } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { type ChannelForm, liveSources } from '../channels/channelForm.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { otherErrors } from '../components/forms/fieldErrors.ts';
import './live.css';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { TextList } from '../components/feedback/TextList.tsx';
import { Fact } from '../components/layout/Facts.tsx';
import { asSentence } from '../format/asSentence.ts';
import { plural } from '../format/numbers.ts';
import { formatDuration, formatTimeOfDay } from '../format/time.ts';
import { RenditionList, servedFormats } from './RenditionList.tsx';

const Failure = ({ error }: { readonly error: unknown }) =>
  error instanceof ApiError && error.data.length > 0 ? (
    <Notice tone="bad">Not analysed: {otherErrors(error.data).join('; ')}.</Notice>
  ) : (
    <ErrorNotice error={error} />
  );

const namedOrigins = ({ sourceManifestUrl, sourceDashUrl, backupManifestUrls = [] }: AnalysisResponse) => [
  { name: 'Origin', origin: sourceManifestUrl },
  ...(sourceDashUrl ? [{ name: 'DASH origin', origin: sourceDashUrl }] : []),
  ...backupManifestUrls.map((origin, index) => ({ name: `Backup origin ${index + 1}`, origin })),
];

/** Reads the origins that are typed in a form and their backups, before they are saved. */
export function AnalyseOrigin({ form, isNew }: { readonly form: ChannelForm; readonly isNew: boolean }) {
  const sources = liveSources(form);
  const typed = JSON.stringify(sources);
  /** The last response, and what it is about. */
  const [found, setFound] = useState<{ readonly of: string; readonly response: AnalysisResponse }>();
  const analyse = useAction(async () => {
    const { sourceManifestUrl } = sources;
    if (sourceManifestUrl === undefined) return;
    setFound(undefined);
    const { body } = await call('POST', '/channels/analyse', { body: { ...sources, sourceManifestUrl } });
    setFound({ of: typed, response: body });
  });
  const isCurrent = found?.of === typed;
  const isMissing = sources.sourceManifestUrl === undefined;
  return (
    <div class="stack tight" aria-live="polite">
      <div class="row">
        <Button
          requires="operate"
          kind={isNew && !isCurrent && !isMissing ? 'primary' : 'plain'}
          action={analyse}
          isDisabled={isMissing}
          reason="Enter the URL of an origin first."
        >
          Analyse
        </Button>
        <span class="small muted">
          {found && !isCurrent
            ? 'The origins changed after the analysis.'
            : 'Reads the origins as a channel does. Changes nothing.'}
        </span>
      </div>
      <Failure error={analyse.error} />
      {analyse.isBusy ? <Loading lines={1} /> : null}
      {isCurrent ? namedOrigins(found.response).map((each) => <AnalysedOrigin key={each.name} {...each} />) : null}
    </div>
  );
}

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
const AnalysedOrigin = ({ origin, name }: { readonly origin: Origin; readonly name: string }) => {
  const { problems, warnings, format, serves, noDash, window, targetDuration, hasDates, renditions } = origin;
  return (
    <section class="analysis" aria-label={name}>
      <header class="row">
        <h3>{name}</h3>
        <StatusBadge status={originVerdicts[originVerdict(origin)]} />
        <span class="small muted">{format?.toUpperCase()}</span>
      </header>
      <TextList class="reason" texts={problems.map(asSentence)} />
      <dl class="facts">
        {serves ? (
          <Fact name="Serves">
            {servedFormats(serves)}
            {noDash ? <span class="muted"> (no DASH: {noDash})</span> : null}
          </Fact>
        ) : null}
        {window ? (
          <>
            <Fact name="Window">
              {formatDuration(window.seconds)} in {plural(window.segments, 'segment')}
              {targetDuration === undefined ? '' : `, target duration ${formatDuration(targetDuration)}`}
            </Fact>
            <Fact name="Dates">{hasDates ? 'Yes' : 'No. Breaks have the times at which Midroll reads them.'}</Fact>
          </>
        ) : null}
        <Fact name="Renditions">{renditions.length > 0 ? <RenditionList renditions={renditions} /> : undefined}</Fact>
        {window || origin.breaks.length > 0 ? (
          <Fact name="Breaks">
            <SeenBreaks breaks={origin.breaks} />
          </Fact>
        ) : null}
      </dl>
      {warnings.length > 0 ? (
        <Notice tone="warn">
          <TextList texts={warnings.map(warningText)} />
        </Notice>
      ) : null}
    </section>
  );
};

type OriginVerdict = 'playable' | 'limited' | 'unplayable';
type Analysed = Pick<AnalysisResponse['sourceManifestUrl'], 'isPlayable' | 'problems' | 'warnings'>;

/** `limited`: a channel can play the origin that was analysed, but something is left out or needs attention. */
function originVerdict({ isPlayable, problems, warnings }: Analysed): OriginVerdict {
  if (!isPlayable) return 'unplayable';
  return problems.length + warnings.length > 0 ? 'limited' : 'playable';
}
