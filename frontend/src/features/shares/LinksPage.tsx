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

const COLUMNS = [["Result"], ["Link"], ["Created"], ["Use"], ["State"], [<span key="revoke" className="visually-hidden">Revoke</span>]] as const;

/** The page of all share links, newest first, with a button that revokes each. */
export function LinksPage() {
  useTitle("Share links");
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
      <PageHead crumbs={[{ label: "Start", to: "/" }, { label: "Share links" }]} title="Share links" meta={`Everybody who has a link can read its result, without an account. ${mayRevoke ? "A revoked link stops working at once." : "With the role runner you could make and revoke links."}`} />
      <Card flush={all.length > 0}>
        <QueryStatus query={links} label="Loading the links" />
        {links.data && all.length === 0 && (
          <Empty title="No links yet">
            <p>A result is shared from its own page.</p>
          </Empty>
        )}
        {all.length > 0 && (
          <DataTable label="Share links" columns={COLUMNS}>
            {all.map((share) => (
              <ShareRow key={share.id} share={share} mayRevoke={mayRevoke} onRevoke={() => choose(share)} />
            ))}
          </DataTable>
        )}
      </Card>
      {links.hasNextPage && (
        <div>
          <Button busy={links.isFetchingNextPage} onClick={() => void links.fetchNextPage()}>
            Older links
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
      <td data-label="Link">{shareKind(share)}</td>
      <td data-label="Created">{shareCreation(share)}</td>
      <td data-label="Use">{shareUse(share)}</td>
      <td data-label="State">{shareState(share)}</td>
      <td>
        {mayRevoke && share.state === "open" && (
          <Button kind="danger" onClick={onRevoke} aria-label={`Revoke the link to ${title} created ${formatTime(share.created_at)}`}>
            Revoke
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
      title="Revoke this link?"
      open={share !== null}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Keep it</Button>
          <Button kind="danger" busy={revoke.isPending} onClick={() => share && revoke.mutate(share.id)}>
            Revoke link
          </Button>
        </>
      }
    >
      <p>The link to “{share?.title ?? share?.run_title}” stops working at once, and its frozen result is deleted. This cannot be undone. Chats and other sites may keep a picture that they fetched before.</p>
      {revoke.error && <Note tone="bad">{revoke.error.message}</Note>}
    </Dialog>
  );
}
