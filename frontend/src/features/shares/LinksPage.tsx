import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { listAllShares, revokeShare, type ShareEntry } from "@/api/generated";
import { SHARES } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Dialog } from "@/components/Dialog";
import { formatTime } from "@/components/format";
import { PageHead } from "@/components/PageHead";
import { shareCreation, shareKind, shareState, shareUse } from "@/components/shareText";
import { Empty, Note, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";

const t = messages("shares");

const columns = () => [[t("result")], [t("link")], [t("created")], [t("use")], [t("state")], [<span key="revoke" className="visually-hidden">{t("revoke")}</span>]] as const;

/** The page of all share links, newest first, with a button that revokes each. */
export function LinksPage() {
  useTitle(t("links"));
  const [chosen, choose] = useState<ShareEntry | null>(null);
  const mayRevoke = useMay("share");
  const links = useInfiniteQuery({
    queryKey: [...SHARES, "all"],
    queryFn: ({ pageParam }) => listAllShares({ query: { limit: 50, ...(pageParam !== undefined && { cursor: pageParam }) } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const all = links.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <PageHead crumbs={[{ label: t("start"), to: "/" }, { label: t("links") }]} title={t("links")} meta={mayRevoke ? t("metaMay") : t("metaMayNot")} />
      <Card flush={all.length > 0}>
        <QueryStatus query={links} label={t("loadingLinks")} />
        {links.data && all.length === 0 && (
          <Empty level={2} title={t("noLinks")}>
            <p>{t("noLinksText")}</p>
          </Empty>
        )}
        {all.length > 0 && (
          <DataTable label={t("links")} columns={columns()}>
            {all.map((share) => (
              <ShareRow key={share.id} share={share} mayRevoke={mayRevoke} onRevoke={() => choose(share)} />
            ))}
          </DataTable>
        )}
      </Card>
      {links.hasNextPage && (
        <div>
          <Button busy={links.isFetchingNextPage} onClick={() => void links.fetchNextPage()}>
            {t("older")}
          </Button>
        </div>
      )}
      <RevokeDialog share={chosen} onClose={() => choose(null)} />
    </>
  );
}

function ShareRow({ share, mayRevoke, onRevoke }: { share: ShareEntry; mayRevoke: boolean; onRevoke: () => void }) {
  const title = share.title ?? share.run_title;
  return (
    <tr>
      <th scope="row">
        <Link to={`/runs/${share.run_id}`}>{title}</Link>
      </th>
      <td data-label={t("link")}>{shareKind(share)}</td>
      <td data-label={t("created")}>{shareCreation(share)}</td>
      <td data-label={t("use")}>{shareUse(share)}</td>
      <td data-label={t("state")}>{shareState(share)}</td>
      <td>
        {mayRevoke && share.state === "open" && (
          <Button kind="danger" onClick={onRevoke} aria-label={t("revokeNamed", { title, at: formatTime(share.created_at) })}>
            {t("revoke")}
          </Button>
        )}
      </td>
    </tr>
  );
}

function RevokeDialog({ share, onClose }: { share: ShareEntry | null; onClose: () => void }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (id: string) => revokeShare({ path: { share_id: id } }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: SHARES }),
  });
  const close = () => {
    revoke.reset();
    onClose();
  };
  return (
    <Dialog
      title={t("revokeTitle")}
      open={share !== null}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{t("keep")}</Button>
          <Button kind="danger" busy={revoke.isPending} onClick={() => share && revoke.mutate(share.id)}>
            {t("revokeLink")}
          </Button>
        </>
      }
    >
      <p>{t("revokeText", { title: share?.title ?? share?.run_title ?? "" })}</p>
      {revoke.error && <Note tone="bad">{revoke.error.message}</Note>}
    </Dialog>
  );
}
