import { Alert, Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { type FieldPath, fieldName, type Place } from '../../../../config/agent-text/yaml-document.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { Loading } from '../../../parts/states.tsx';
import { tellDone } from '../../../parts/tell.ts';
import { useWho } from '../../../session/session.tsx';
import { isChanged } from '../model/draft-store.ts';
import { rootsOf, SECTIONS, type SectionId, sectionOf } from '../model/fields.ts';
import type { Finding } from '../model/findings.ts';
import { Conflict } from './conflict.tsx';
import { EditingContext, useDraft } from './draft-context.ts';
import classes from './editor.module.css';
import { FindingsBar } from './findings-bar.tsx';
import { FormPane } from './form-pane.tsx';
import { Header, type View } from './header.tsx';
import { Leaving } from './leaving.tsx';
import { AGENT_SHAPE, type Loaded, openDraft } from './open-draft.ts';
import { SaveFailed } from './save-failed.tsx';
import { saveFile } from './save-file.ts';
import { SectionNav } from './section-nav.tsx';
import { TryIt } from './try-slot.tsx';
import { useKept } from './use-kept.ts';
import { useReport } from './use-report.ts';
import { useSaving } from './use-saving.ts';
import { Versions } from './versions.tsx';

const YamlPane = lazy(() => import('../yaml/yaml-pane.tsx'));
interface Target {
  readonly path: FieldPath;
  readonly place?: Place;
  readonly takesFocus?: boolean;
}

/** An agent under edit: the form and the YAML of one draft, what was found about it, and what becomes of it. */
export function Workbench({ loaded }: { loaded: Loaded }) {
  const { t } = useTranslation('agents');
  const { may } = useWho();
  const navigate = useNavigate();
  const [{ store, isKept }] = useState(() => openDraft(loaded));
  const [showsKept, setShowsKept] = useState(isKept);
  const saving = useSaving(store, loaded);
  const canEdit = may('agents');
  const state = useDraft(store, (all) => all);
  const checked = useReport(store, canEdit);
  const { findings } = checked;
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  const [wish, setView] = useState<View>('both');
  const views: readonly View[] = isWide ? ['form', 'both', 'yaml'] : ['form', 'yaml'];
  const view = views.includes(wish) ? wish : 'form';
  const [query, setQuery] = useSearchParams();
  const section = SECTIONS.find(({ id }) => id === query.get('section'))?.id ?? 'identity';
  const [target, setTarget] = useState<Target>();
  const [wanted, setWanted] = useState<{ readonly path: FieldPath }>();
  const phrases = useMemo(() => t('yaml.search', { returnObjects: true }), [t]);
  const [cursor, setCursor] = useState<FieldPath>([]);
  const [open, setOpen] = useState<'versions' | 'delete'>();
  useKept(saving.agent.id, store);

  const show = useCallback((path: FieldPath) => setTarget({ path }), []);
  const language = String(state.value['language'] ?? 'en').startsWith('ar') ? 'ar' : 'en';
  const agentId = saving.agent.id;
  const editing = useMemo(
    () => ({ agentId, store, findings, canEdit, language, show, wanted }) as const,
    [agentId, store, findings, canEdit, language, show, wanted],
  );
  const openSection = (id: SectionId) => setQuery({ section: id }, { replace: true });
  const pickSection = (id: SectionId) => {
    openSection(id);
    setTarget({
      path: rootsOf(id)
        .filter((root) => root in state.value)
        .slice(0, 1),
    });
  };
  const toForm = (path: FieldPath) => {
    const found = sectionOf(path);
    if (found) openSection(found);
    setWanted({ path });
    if (view === 'yaml') setView(isWide ? 'both' : 'form');
  };
  const pick = ({ path, place }: Finding) => {
    if (path.length > 0 && sectionOf(path)) toForm(path);
    else if (view === 'form') setView(isWide ? 'both' : 'yaml');
    setTarget({ path, ...(place && { place }) });
  };
  const save = async () => {
    if (await saving.save()) tellDone(t(saving.agent.status === 'live' ? 'saved.live' : 'saved.draft'));
  };
  const discard = () => {
    store.setText(store.state().base.text);
    store.read();
    setShowsKept(false);
  };
  const changed = isChanged(state);
  const name = String(state.value['name'] ?? saving.agent.name);
  return (
    <EditingContext value={editing}>
      <div className={classes['bench']}>
        <Header
          {...{ name, canEdit, view, views }}
          saving={saving}
          onSave={() => void save()}
          isChanged={changed}
          canSave={state.parsed.problems.length === 0}
          tryButton={canEdit && <TryIt agentId={agentId} definition={state.value} />}
          onView={setView}
          onVersions={() => setOpen('versions')}
          onDownload={() => saveFile(`${name}.yaml`, state.text)}
          onDiscard={discard}
          onDelete={() => setOpen('delete')}
        />
        {showsKept && changed && (
          <Alert
            color="gray"
            icon={<IconHistory size={18} />}
            withCloseButton
            closeButtonLabel={t('kept.close')}
            onClose={() => setShowsKept(false)}
          >
            <Group gap="sm">
              <Text size="sm">{t('kept.text')}</Text>
              <Button variant="subtle" size="compact-sm" onClick={discard}>
                {t('discard')}
              </Button>
            </Group>
          </Alert>
        )}
        <SaveFailed saving={saving} />
        <div className={classes['panes']} data-view={view}>
          <div className={classes['nav']}>
            <SectionNav open={section} findings={findings} isNarrow={!isWide} onOpen={pickSection} />
          </div>
          <div className={classes['form']}>
            <FormPane section={section} />
          </div>
          <div className={classes['yaml']}>
            <div className={classes['text']}>
              {view !== 'form' && (
                <Suspense fallback={<Loading height={320} />}>
                  <YamlPane
                    {...{ store, findings, canEdit, target }}
                    shape={AGENT_SHAPE}
                    label={t('yaml.label', { name })}
                    phrases={phrases}
                    onCursor={setCursor}
                    onSave={() => void save()}
                  />
                </Suspense>
              )}
            </div>
            <div className={classes['foot']}>
              <bdi className={classes['path']} dir="ltr">
                {fieldName(cursor)}
              </bdi>
              {cursor.length > 0 && sectionOf(cursor) && (
                <Button variant="subtle" size="compact-xs" color="gray" onClick={() => toForm(cursor)}>
                  {t('yaml.inForm')}
                </Button>
              )}
            </div>
          </div>
        </div>
        {canEdit && <FindingsBar checked={checked} onPick={pick} />}
      </div>
      <Leaving isChanged={changed} onDiscard={discard} />
      {saving.theirs && (
        <Conflict store={store} theirs={saving.theirs} onSettle={saving.settle} onClose={saving.forget} />
      )}
      <Versions
        {...{ saving, canEdit }}
        mine={state}
        opened={open === 'versions'}
        onClose={() => setOpen(undefined)}
        onTake={(text) => store.setText(text)}
      />
      <Confirm
        title={t('deletion.title', { name })}
        text={t('deletion.text')}
        verb={t('deletion.verb')}
        opened={open === 'delete'}
        onClose={() => setOpen(undefined)}
        act={async () => {
          await saving.remove();
          discard();
          void navigate('/agents');
        }}
      />
    </EditingContext>
  );
}
