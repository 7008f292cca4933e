"""A page inside of a notebook: live, without a network, and apart from the notebook around it."""

from html import escape

HEIGHT = 720  # pixels; the reader can drag it
# The frame may run the page's scripts, and reach nothing of the notebook. There it has no address of its own to keep.
NO_ADDRESS = "<head>\n<script>history.replaceState = () => {};</script>"


def framed(page: str) -> str:
    """The page as one element of HTML."""
    content = escape(page.replace("<head>", NO_ADDRESS, 1))
    style = f"width:100%;height:{HEIGHT}px;border:0;resize:vertical;overflow:auto"
    return f'<iframe sandbox="allow-scripts" loading="lazy" style="{style}" srcdoc="{content}"></iframe>\n'
