"""Hooks of mkdocs: the navigation has the sections and pages of docs/README.md, links to files outside of docs/ become text, anchors
are those of GitHub, and pages that load anything from other servers are reported."""
import logging
import os
import re

from pymdownx.slugs import slugify

log = logging.getLogger("mkdocs.hooks")
# Elements that load what they name, unlike links.
LOADED = re.compile(r"<(?:script|img|source|iframe)[^>]*?\ssrc=\"?(?:https?:)?//|<link(?![^>]*rel=\"?canonical)[^>]*?\shref=\"?(?:https?:)?//")


def on_config(config):
    text = open(os.path.join(config["docs_dir"], "README.md"), encoding="utf-8").read()
    navigation = ["README.md"]
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        pages = re.findall(r"^\| \[[^]]*\]\(([^)]*\.md)\)", section, flags=re.M)
        navigation.append({section.partition("\n")[0]: pages})
    config["nav"] = navigation
    config["mdx_configs"]["toc"]["slugify"] = slugify(case="lower")
    return config


def on_page_markdown(markdown, page, config, files):
    """Names the files of the repository that are not part of the site."""
    root = os.path.dirname(config["docs_dir"])

    def named(match):
        target = os.path.normpath(os.path.join(config["docs_dir"], os.path.dirname(page.file.src_uri), match[2]))
        if target.startswith(config["docs_dir"] + os.sep):
            return match[0]
        if not os.path.exists(target):
            log.warning("%s links to a missing file: %s", page.file.src_uri, match[2])
        return f"{match[1]} (`{os.path.relpath(target, root)}`)"

    return re.sub(r"\[([^]\n]*)\]\((\.\./[^)#\s]*)(?:#[^)\s]*)?\)", named, markdown)


def on_post_page(output, page, config):
    for match in LOADED.finditer(output):
        log.warning("%s loads from another server: %s", page.file.src_uri, output[match.start():match.end() + 60].split(">")[0])
    return output
