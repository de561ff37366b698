// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import { useMe } from '../api/me.ts';
import { useGet } from '../api/useGet.ts';
import { newStep } from '../channels/adSteps.ts';
import { type ChannelForm, type ChannelType, pathOf, type SettingProps } from '../channels/channelForm.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import { errorsBelow, fieldError, rowError } from '../components/forms/fieldErrors.ts';
import { formFields } from '../components/forms/formFields.ts';
import { ListField } from '../components/forms/ListField.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { recordOptions, SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { LabelsField } from '../components/pickers/LabelsField.tsx';
import { RecordPicker } from '../components/pickers/RecordPicker.tsx';
import { methods, RequestFields, TAG_EXAMPLE, UnknownMacros } from '../demand/RequestFields.tsx';
import { AnalyseOrigin } from '../live/AnalyseOrigin.tsx';
import { lazily } from '../navigation/lazily.tsx';
import { AdvancedFields } from './AdvancedFields.tsx';

const StepFields = lazily(async () => (await import('./StepFields.tsx')).StepFields);
const RuleFields = lazily(async () => (await import('./RuleFields.tsx')).RuleFields);

type ChannelFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  readonly isNew: boolean;
  onChange(form: ChannelForm): void;
};

const types: Readonly<Record<ChannelType, string>> = {
  vod2live: 'Linear channel',
  vod: 'VoD channel',
  live: 'Live channel',
};

const typeHints: Readonly<Record<ChannelType, string>> = {
  vod2live: 'Plays the playlist in a loop. All viewers see the same content at the same time.',
  vod: 'Each session plays the playlist once, from start to end.',
  live: 'The stream of a live origin. Ads replace its breaks.',
};

/** The settings of a channel. Errors that the API reports are shown at their fields. */
export function ChannelFields({ form, errors, isNew, onChange }: ChannelFieldsProps) {
  const systems = useGet('/systems', useMe()?.channels === undefined ? {} : null);
  const set = (changed: Partial<ChannelForm>) => onChange({ ...form, ...changed });
  const settings: SettingProps = { form, errors, set, ...formFields(form, errors, set, pathOf) };
  const { field, choice } = settings;
  return (
    <>
      <div class="groups">
        <section class="form group">
          <h3>General</h3>
          <div class="pair">
            <TextField label="Name" {...field('name')} hint="Shown in the console. Leave empty to show the ID." />
            {isNew ? (
              <TextField
                label="ID"
                {...field('id')}
                hint="Part of the playback URLs. Cannot be changed later. Leave empty for a random ID."
              />
            ) : (
              <TextField label="ID" {...field('id')} isReadOnly />
            )}
          </div>
          <SelectField label="Type" {...choice('type', types)} hint={typeHints[form.type]} />
          {form.type === 'live' ? (
            <LiveFields {...settings} isNew={isNew} />
          ) : (
            <RecordPicker
              label="Playlist"
              kind="playlists"
              value={form.playlistId}
              placeholder={form.type === 'vod' ? 'None (content parameter)' : 'None (slate only)'}
              hint={
                form.type === 'vod'
                  ? 'What sessions play, unless ?content= names something else.'
                  : 'What plays in a loop. Without one, viewers see slate.'
              }
              error={fieldError(errors, '/playlistId')}
              // The API rejects playlists of linear channels in VoD channels.
              accept={form.type === 'vod' ? ({ type }) => type !== 'vod2live' : undefined}
              onChange={(playlistId) => set({ playlistId })}
            />
          )}
          {form.type === 'vod' ? <VodFields {...settings} /> : null}
          <LabelsField
            label="Labels"
            kind="channels"
            labels={form.labels}
            error={errorsBelow(errors, '/labels')}
            hint="Group channels in lists, reports, alert rules and keys."
            onChange={(labels) => set({ labels })}
          />
        </section>
        <section class="form group">
          <h3>Ad sources</h3>
          <DemandFields {...settings} />
        </section>
      </div>
      <details>
        <summary>Advanced settings</summary>
        <AdvancedFields {...settings} isNew={isNew} systems={recordOptions(systems.data ?? [])} />
      </details>
    </>
  );
}

const breakSources: Readonly<Record<ChannelForm['breakSource'], string>> = {
  auto: 'Automatic',
  cuePoints: 'Cue points',
  manifest: 'Manifest markers',
  vmap: 'VMAP',
};

/** Which content a VoD channel plays, and where its breaks come from. */
function VodFields({ form: { contentHosts }, errors, choice, set }: SettingProps) {
  return (
    <>
      <ListField
        label="Content hosts"
        entry="host"
        values={contentHosts}
        placeholder="media.example.com"
        hint="Hosts that ?content= may name in playback URLs. Without any, only the URLs of the playlist play."
        error={fieldError(errors, '/contentHosts')}
        errorAt={(row) => rowError(errors, '/contentHosts', contentHosts, row)}
        onChange={(hosts) => set({ contentHosts: hosts })}
      />
      <SelectField
        label="Break source"
        {...choice('breakSource', breakSources)}
        hint="Automatic uses cue points, else ad markers in the manifests, else a VMAP of the ad server."
      />
    </>
  );
}

const demands: Readonly<Record<ChannelForm['demand'], string>> = { server: 'One ad server', steps: 'Steps' };

/** Where the ads of a channel come from: one ad server, or ad sources in steps. */
const DemandFields = (settings: SettingProps) => {
  const { form, set } = settings;
  return (
    <>
      <SegmentedControl
        label="Ads from"
        value={form.demand}
        options={demands}
        onChange={(demand) => set({ demand, adSteps: form.adSteps.length === 0 ? [newStep] : form.adSteps })}
      />
      {form.demand === 'server' ? (
        <AdServerFields {...settings} />
      ) : (
        <>
          {form.adUrl === '' ? null : <Notice tone="warn">The steps replace the ad server {form.adUrl}.</Notice>}
          <StepFields {...settings} />
        </>
      )}
      <RuleFields {...settings} />
    </>
  );
};

/** The ad server of a channel and the options of its requests. */
const AdServerFields = ({ form, errors, field, choice, set }: SettingProps) => (
  <>
    <TextField
      label="Ad server URL"
      type="url"
      {...field('adUrl')}
      error={fieldError(errors, '/adSource/url') ?? fieldError(errors, '/adSource')}
      placeholder={TAG_EXAMPLE}
      hint={`Returns VAST${form.type === 'vod' ? ' or VMAP' : ''}. Macros in brackets are filled in for each viewer and break. Leave empty ${form.type === 'vod' ? 'to play without ads' : 'to show slate'}.`}
    />
    <UnknownMacros texts={[form.adUrl, form.adHeaders, form.adParams]} />
    <details>
      <summary>Request options</summary>
      <div class="form">
        <RequestFields
          errors={errors}
          path="/adSource"
          method={choice('adMethod', methods)}
          timeout={field('adTimeout')}
          params={field('adParams')}
          headers={field('adHeaders')}
        />
        <LabelsField
          label="Ad source labels"
          kind="channels"
          labels={form.adLabels}
          error={errorsBelow(errors, '/adSource/labels')}
          hint="Also count as labels of the channel."
          onChange={(adLabels) => set({ adLabels })}
        />
      </div>
    </details>
  </>
);

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
const LiveFields = ({ form, errors, isNew, field, choice, set }: SettingProps & { readonly isNew: boolean }) => (
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
