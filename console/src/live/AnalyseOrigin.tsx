// SPDX-License-Identifier: Apache-2.0
import { useRef, useState } from 'preact/hooks';
import type { AnalysisResponse } from '../../../src/http/liveContract.ts';
import { ApiError } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { type ChannelForm, filledRows, liveSources } from '../logic/channels/channelForm.ts';
import { otherErrors } from '../logic/forms/fieldErrors.ts';
import { AnalysedOrigin } from './AnalysedOrigin.tsx';
import './live.css';

type Found = {
  readonly name: string;
  readonly origin?: AnalysisResponse['sourceManifestUrl'];
  readonly error?: unknown;
};

const analyse = async (body: object): Promise<AnalysisResponse> =>
  (await call<AnalysisResponse>('POST', '/channels/analyse', { body })).body;

const FoundOrigin = ({ name, origin, error }: Found) =>
  origin ? (
    <AnalysedOrigin origin={origin} name={name} />
  ) : (
    <Notice tone="bad">
      {name}: {error instanceof ApiError && error.data.length > 0 ? otherErrors(error.data, []).join('; ') : `${error}`}
    </Notice>
  );

/** Reads the origins that are typed in a form and their backups, before they are saved. */
export function AnalyseOrigin({ form, isNew }: { readonly form: ChannelForm; readonly isNew: boolean }) {
  const sources = liveSources(form);
  const backups = filledRows(form.backupUrls);
  const typed = JSON.stringify([sources, backups]);
  const [found, setFound] = useState<readonly Found[]>([]);
  /** What the results are of. */
  const analysed = useRef('');
  const run = useAction(async () => {
    analysed.current = typed;
    setFound([]);
    const { sourceManifestUrl, sourceDashUrl } = await analyse(sources);
    setFound([
      { name: 'Origin', origin: sourceManifestUrl },
      ...(sourceDashUrl ? [{ name: 'DASH origin', origin: sourceDashUrl }] : []),
    ]);
    const { segmentationTypes } = sources;
    const checked = backups.map(async (url, index): Promise<Found> => {
      const name = `Backup origin ${index + 1}`;
      return analyse({ sourceManifestUrl: url, segmentationTypes }).then(
        (response) => ({ name, origin: response.sourceManifestUrl }),
        (error: unknown) => ({ name, error }),
      );
    });
    const results = await Promise.all(checked);
    setFound((main) => [...main, ...results]);
  });
  const isCurrent = analysed.current === typed;
  const isMissing = sources.sourceManifestUrl === undefined;
  return (
    <div class="stack tight" aria-live="polite">
      <div class="row">
        <Button
          kind={isNew && !isCurrent && !isMissing ? 'primary' : 'plain'}
          isBusy={run.isBusy}
          isDisabled={isMissing}
          onClick={() => void run.run()}
        >
          Analyse
        </Button>
        <span class="small muted">
          {analysed.current !== '' && !isCurrent
            ? 'The origins changed after the analysis.'
            : 'Reads the origins as a channel does. Changes nothing.'}
        </span>
      </div>
      {run.error instanceof ApiError && run.error.data.length > 0 ? (
        <FoundOrigin name="Not analysed" error={run.error} />
      ) : (
        <ErrorNotice error={run.error} />
      )}
      {isCurrent ? found.map((each) => <FoundOrigin key={each.name} {...each} />) : null}
      {run.isBusy ? <Loading lines={1} /> : null}
    </div>
  );
}
