import { memo, useDeferredValue, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { ChartModel } from "@/api/generated";
import { HopCostCard } from "@/charts/HopCostCard";
import { PivotCard } from "@/charts/pivot/PivotCard";
import { Note } from "@/components/Status";
import { serverText } from "@/components/serverText";
import { CheckCards } from "./CheckCards";
import { GapsCard } from "./GapsCard";
import { EnvironmentCard } from "./EnvironmentCard";
import { ExcludedCard } from "./ExcludedCard";
import type { ResultLinks, ResultShare } from "./links";
import { ResultCharts } from "./ResultCharts";
import styles from "./ResultView.module.css";
import { Contents } from "./sections/Contents";
import { Section } from "./sections/Section";
import { elementId, sectionAt, sectionsOf, type SectionId } from "./sections/sections";
import { useFolding, type Folding } from "./sections/useFolding";
import { sectionTitle } from "./sections/titles";
import { goTo, useLinkedSection } from "./sections/useLinkedSection";
import { ThresholdsCard } from "./ThresholdsCard";
import { Verdict } from "./Verdict";
import { WarningsCard } from "./WarningsCard";

/** The sections of a result of more cells than this are rendered when they are nearly in the visible part. */
const MANY = 120;

interface Props {
  model: ChartModel;
  provisional?: boolean;
  /** The addresses of the pages of cells and trials; without them nothing is a link. */
  links?: ResultLinks;
  /** The link that the result is behind. */
  share?: ResultShare;
}

/** The complete result of a run, also for share links. Memoised: live figures do not render it again. */
export const ResultView = memo(function ResultView({ model: newest, provisional = false, links, share }: Props) {
  // While a run goes on, its verdict is rendered at once, and the rest without delaying keys and scrolling.
  const model = useDeferredValue(newest);
  const cellHref = links && { cellHref: links.cell };
  const folding = useFolding();
  useLinkedSection(folding.show);
  const [whole, renderWhole] = useWhole();
  const go = useGo(folding, links !== undefined, renderWhole);
  const sections = sectionsOf(model, links !== undefined || share?.panels != null, links !== undefined || share !== undefined);
  const content: Partial<Record<SectionId, React.ReactNode>> = {
    findings: (
      <>
        <ThresholdsCard model={model} {...cellHref} />
        <ExcludedCard model={model} links={links} />
        <WarningsCard model={model} {...cellHref} />
      </>
    ),
    hops: <HopCostCard model={model} image={links && ((ladder) => links.image({ kind: "ladder", ladder }))} {...cellHref} />,
    pivot: <PivotCard model={model} image={links?.image} {...cellHref} />,
    checks: <CheckCards model={model} />,
    environment: <EnvironmentCard model={model} {...(links && { hostHref: links.host })} />,
  };
  return (
    <div className={styles.layout}>
      <Contents sections={sections.map((id) => ({ id, title: sectionTitle(id) }))} folding={folding} isAddressed={links !== undefined} onGo={go} />
      <div className={styles.result}>
        <div id={elementId("verdict")} className={styles.verdict} tabIndex={-1}>
          <Verdict model={newest} provisional={provisional} />
          <GapsCard model={model} {...cellHref} />
          {model.reduced && <Note tone="info">{serverText(model.reduced.sentence, model.reduced.message)}</Note>}
        </div>
        <ResultCharts key={model.run_id} model={model} links={links} share={share}>
          {(charts) =>
            sections.map((id) => {
              const children = id in charts ? charts[id as keyof typeof charts] : content[id];
              return (
                children != null && (
                  <Section key={id} id={id} title={sectionTitle(id)} folding={folding} late={model.cells.length > MANY && !whole}>
                    {children}
                  </Section>
                )
              );
            })
          }
        </ResultCharts>
      </div>
    </div>
  );
});

/** Returns a function that opens a section and goes to it; the fragment of a share link is its token, and is left alone. */
function useGo({ show }: Folding, isAddressed: boolean, renderWhole: () => void): (section: SectionId) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (section) => {
    renderWhole();
    show(section);
    if (isAddressed) void navigate({ pathname, search, hash: elementId(section) }, { replace: true, preventScrollReset: true });
    requestAnimationFrame(() => goTo(section));
  };
}

/** Returns whether all sections are to be rendered, and the function that has them rendered: whoever goes to one needs the height of those above it. */
function useWhole(): [boolean, () => void] {
  const { hash } = useLocation();
  const [whole, setWhole] = useState(false);
  if (!whole && sectionAt(hash) !== null) setWhole(true);
  return [whole, () => setWhole(true)];
}
