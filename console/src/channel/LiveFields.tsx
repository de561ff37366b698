// SPDX-License-Identifier: Apache-2.0
import type { ChannelForm, SettingProps } from '../channels/channelForm.ts';
import { fieldError, rowError } from '../components/forms/fieldErrors.ts';
import { ListField } from '../components/forms/ListField.tsx';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { AnalyseOrigin } from '../live/AnalyseOrigin.tsx';

const breakFills: Readonly<Record<ChannelForm['breakFill'], string>> = { slate: 'Slate', content: 'Origin content' };
const prefetches: Readonly<Record<ChannelForm['prefetch'], string>> = {
  off: 'Off',
  creatives: 'Creatives',
  decision: 'Decisions',
};
const prefetchHints: Readonly<Record<ChannelForm['prefetch'], string>> = {
  off: 'Ads are requested when a break is announced or starts.',
  creatives:
    'Creatives are conditioned before a break. Each viewer’s ads are requested when it is announced or starts.',
  decision: 'Each viewer’s ads are requested before the next break is announced. The ad server gets more requests.',
};

/** Where a live channel comes from, and what it shows next to its ads. */
export const LiveFields = ({ form, errors, isNew, field, choice, set }: SettingProps & { readonly isNew: boolean }) => (
  <>
    <TextField
      label="Origin URL"
      type="url"
      {...field('sourceManifestUrl')}
      hint="HLS playlist or DASH manifest of the live stream. Current viewers are disconnected when it changes."
    />
    <TextField
      label="DASH origin URL"
      type="url"
      {...field('sourceDashUrl')}
      hint="DASH manifest of the same stream, if the origin URL is HLS that cannot serve DASH."
    />
    <ListField
      label="Backup origins"
      entry="backup origin"
      type="url"
      isOrdered
      values={form.backupUrls}
      hint="Manifests of the same stream at other places. The first one that works replaces an origin that fails. After the last one, viewers see slate."
      error={fieldError(errors, '/backupManifestUrls')}
      errorAt={(row) => rowError(errors, '/backupManifestUrls', form.backupUrls, row)}
      onChange={(backupUrls) => set({ backupUrls })}
    />
    <AnalyseOrigin form={form} isNew={isNew} />
    <div class="pair">
      <SelectField label="Prefetch" {...choice('prefetch', prefetches)} hint={prefetchHints[form.prefetch]} />
      <SelectField
        label="Break fill"
        {...choice('breakFill', breakFills)}
        hint="What viewers see in a break where there are no ads."
      />
    </div>
    <div class="pair">
      <TextField
        label="Pre-roll (s)"
        {...field('prerollDuration')}
        hint="Longest pre-roll for viewers who join. Leave empty for none."
      />
      <TextField label="Pre-roll ads" {...field('prerollAds')} hint="At most this many." />
    </div>
  </>
);
