// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import { errorsBelow, errorWithin, fieldError, rowError } from '../components/forms/fieldErrors.ts';
import { type FormFields, formFields } from '../components/forms/formFields.ts';
import { ListField } from '../components/forms/ListField.tsx';
import { type RowColumn, RowsField } from '../components/forms/RowsField.tsx';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { LabelsField } from '../components/pickers/LabelsField.tsx';
import { limitHint } from '../format/limitHint.ts';
import { formatDateTime } from '../format/time.ts';
import { type AdSourceForm, type CreativeRow, jsonFault, newCreative, pathOf } from './adSourceForm.ts';
import { methods, RequestFields, TAG_EXAMPLE, UnknownMacros } from './RequestFields.tsx';
import { type AdSource, type AdSourceType, sourceTypes } from './sourceTypes.ts';

type AdSourceFieldsProps = {
  readonly form: AdSourceForm;
  /** Undefined for a new one. */
  readonly stored: AdSource | undefined;
  readonly errors: readonly FieldError[];
  onChange(form: AdSourceForm): void;
};

type PartProps = FormFields<AdSourceForm> & {
  readonly form: AdSourceForm;
  readonly errors: readonly FieldError[];
  set(changed: Partial<AdSourceForm>): void;
};

const typeHints: Readonly<Record<AdSourceType, string>> = {
  vast: 'An ad server that returns VAST or VMAP.',
  openrtb: 'A bidder or an exchange. It receives OpenRTB 2.6 bid requests.',
  house: 'Your own videos, without a request. List it in the last step.',
};

/** The settings of an ad source. Errors that the API reports are shown at their fields. */
export function AdSourceFields({ form, stored, errors, onChange }: AdSourceFieldsProps) {
  const set = (changed: Partial<AdSourceForm>) => onChange({ ...form, ...changed });
  const part: PartProps = { form, errors, set, ...formFields(form, errors, set, pathOf) };
  const { field, choice } = part;
  return (
    <>
      <div class="groups">
        <section class="form group">
          <h3>General</h3>
          <div class="pair">
            <TextField label="Name" {...field('name')} hint="Shown in the console, traces and reports." />
            <TextField
              label="ID"
              {...field('id')}
              isReadOnly={stored !== undefined}
              {...(stored ? {} : { hint: 'Cannot be changed later. Leave empty for a random ID.' })}
            />
          </div>
          {stored ? (
            <TextField label="Type" value={sourceTypes[form.type]} isReadOnly onInput={() => {}} />
          ) : (
            <SelectField label="Type" {...choice('type', sourceTypes)} hint={typeHints[form.type]} />
          )}
          <LabelsField
            label="Labels"
            kind="adSources"
            labels={form.labels}
            error={errorsBelow(errors, '/labels')}
            hint="Group ad sources in lists."
            onChange={(labels) => set({ labels })}
          />
        </section>
        {form.type === 'house' ? null : <RequestGroup {...part} certificate={stored?.clientCertificate} />}
      </div>
      {form.type === 'house' ? <CreativesField {...part} /> : null}
    </>
  );
}

type Certificate = AdSource['clientCertificate'];

/** How an ad server is requested. */
const RequestGroup = ({ certificate, ...part }: PartProps & { readonly certificate: Certificate }) => {
  const { form, errors, field, choice } = part;
  const isVast = form.type === 'vast';
  return (
    <section class="form group">
      <h3>Requests</h3>
      <TextField
        label="URL"
        type="url"
        {...field('url')}
        placeholder={isVast ? TAG_EXAMPLE : 'https://bidder.example.com/openrtb'}
        hint="Macros in brackets are filled in for each viewer and break."
      />
      <UnknownMacros texts={[form.url, form.headers, isVast ? form.params : form.template]} />
      <RequestFields
        errors={errors}
        path=""
        {...(isVast ? { method: choice('method', methods), params: field('params') } : {})}
        timeout={field('timeout')}
        headers={field('headers')}
      />
      <TextField
        label="Requests per second"
        {...field('rate')}
        hint={`At most, over all nodes. ${limitHint('maxPerSecond')} Empty: no limit.`}
      />
      {isVast ? null : <BidFields {...part} />}
      <details>
        <summary>Client certificate{certificate ? `: ${certificate.subject}` : ''}</summary>
        <CertificateFields {...part} certificate={certificate} />
      </details>
    </section>
  );
};

const BidFields = ({ form, field }: PartProps) => (
  <>
    <div class="pair thirds">
      <TextField label="Currency" {...field('currency')} hint="Of floors and bids. Default: USD." />
      <TextField label="Floor (CPM)" {...field('floor')} hint="Least price of a thousand impressions." />
      <TextField label="Floor per second" {...field('floorPerSecond')} hint="Least price of each second." />
    </div>
    <TextField
      label="Template (JSON)"
      rows={8}
      {...field('template')}
      error={jsonFault(form.template) ?? field('template').error}
      placeholder={'{"site": {"id": "123"}}'}
      hint="Merged into the bid request. Its texts can contain macros."
    />
  </>
);

const CertificateFields = ({ form, errors, field, set, certificate }: PartProps & { certificate: Certificate }) => (
  <div class="form">
    {certificate ? (
      <>
        <p class="small muted wraps">
          {certificate.subject}
          {certificate.expiresAt === undefined ? '' : `, until ${formatDateTime(certificate.expiresAt)}`}
        </p>
        <Toggle
          label="Remove certificate"
          isOn={form.removal !== ''}
          onChange={(isRemoved) => set({ removal: isRemoved ? 'yes' : '' })}
        />
      </>
    ) : null}
    <TextField
      label="Certificate (PEM)"
      rows={4}
      {...field('certificate')}
      hint={certificate ? 'Empty: the stored one is kept.' : 'With its chain.'}
    />
    <TextField
      label="Private key (PEM)"
      rows={4}
      {...field('key')}
      hint="Without a password. It is never shown again."
    />
    <ListField
      label="Other hosts"
      entry="host"
      values={form.hosts}
      placeholder="beacons.example.com"
      hint="Hosts that receive the certificate besides that of the URL."
      error={errorWithin(errors, '/clientCertificate/hosts')}
      errorAt={(row) => rowError(errors, '/clientCertificate/hosts', form.hosts, row)}
      onChange={(hosts) => set({ hosts })}
    />
  </div>
);

const creativeColumns: readonly RowColumn<CreativeRow>[] = [
  { name: 'url', label: 'URL', type: 'url', placeholder: 'https://media.example.com/promo.mp4' },
  { name: 'title', label: 'Title' },
  { name: 'weight', label: 'Weight', type: 'number', placeholder: '1' },
  { name: 'from', label: 'From', type: 'time' },
  { name: 'to', label: 'Until', type: 'time' },
];

const CreativesField = ({ form, errors, set }: PartProps) => (
  <RowsField
    label="Videos"
    entry="video"
    columns={creativeColumns}
    rows={form.creatives}
    empty={newCreative}
    hint="A video of twice the weight comes first twice as often. Empty times: always."
    error={fieldError(errors, '/creatives')}
    errorAt={(row, name) => fieldError(errors, `/creatives/${row}/${name}`)}
    onChange={(creatives) => set({ creatives })}
  />
);
