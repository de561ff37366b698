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
import { AnalysedOrigin } from './AnalysedOrigin.tsx';
import './live.css';

const Failure = ({ error }: { readonly error: unknown }) =>
  error instanceof ApiError && error.data.length > 0 ? (
    <Notice tone="bad">Not analysed: {otherErrors(error.data, []).join('; ')}.</Notice>
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
    setFound(undefined);
    const { body } = await call<AnalysisResponse>('POST', '/channels/analyse', { body: sources });
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
          isBusy={analyse.isBusy}
          isDisabled={isMissing}
          reason="Enter the URL of an origin first."
          onClick={() => void analyse.run()}
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
