// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { AnalysisResponse } from '../../../src/http/liveContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { type ChannelForm, liveSources } from '../logic/channels/channelForm.ts';
import { AnalysedOrigin } from './AnalysedOrigin.tsx';

/** Reads the origins that are typed in a form, before they are saved. */
export function AnalyseOrigin({ form }: { readonly form: ChannelForm }) {
  const [found, setFound] = useState<AnalysisResponse>();
  const analyse = useAction(async () => {
    setFound(undefined);
    const { body } = await call<AnalysisResponse>('POST', '/channels/analyse', { body: liveSources(form) });
    setFound(body);
  });
  return (
    <div class="stack tight">
      <div>
        <Button
          isBusy={analyse.isBusy}
          isDisabled={form.sourceManifestUrl.trim() === ''}
          onClick={() => void analyse.run()}
        >
          Analyse
        </Button>
      </div>
      <ErrorNotice error={analyse.error} />
      {found ? <AnalysedOrigin origin={found.sourceManifestUrl} name="Origin" /> : null}
      {found?.sourceDashUrl ? <AnalysedOrigin origin={found.sourceDashUrl} name="DASH origin" /> : null}
    </div>
  );
}
