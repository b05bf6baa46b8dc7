import { ButtonLink } from "@/components/Button";
import { PageHead } from "@/components/PageHead";
import { useTitle } from "@/components/useTitle";

export function NotFound() {
  useTitle("Not found");
  return (
    <>
      <PageHead crumbs={[{ label: "Start", to: "/" }]} title="No such page" meta="There is no page at this address." />
      <p>
        <ButtonLink to="/" kind="primary">
          To the start
        </ButtonLink>
      </p>
    </>
  );
}
